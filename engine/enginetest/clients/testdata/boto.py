"""boto3: the client, the resource with its conditions, paginators and waiters."""
from decimal import Decimal

import boto3
from boto3.dynamodb.conditions import Attr, Key
from botocore.exceptions import ClientError

client = boto3.client("dynamodb")
resource = boto3.resource("dynamodb")

client.create_table(
    TableName="orders",
    BillingMode="PAY_PER_REQUEST",
    AttributeDefinitions=[{"AttributeName": n, "AttributeType": t} for n, t in (("pk", "S"), ("sk", "S"), ("status", "S"), ("total", "N"))],
    KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
    GlobalSecondaryIndexes=[{
        "IndexName": "byStatus",
        "KeySchema": [{"AttributeName": "status", "KeyType": "HASH"}, {"AttributeName": "total", "KeyType": "RANGE"}],
        "Projection": {"ProjectionType": "ALL"},
    }],
)
client.get_waiter("table_exists").wait(TableName="orders", WaiterConfig={"Delay": 1, "MaxAttempts": 5})
table = resource.Table("orders")

item = {
    "pk": "CUSTOMER#1", "sk": "ORDER#0", "status": "open", "total": Decimal("12.5"), "big": Decimal("12345678901234567890123456789012345678"),
    "gift": False, "nothing": None, "tags": {"a", "b"}, "sizes": {Decimal(1), Decimal("2.5")}, "photo": b"\x00\xff",
    "parts": [{"sku": "x", "qty": Decimal(1)}, "\u00e9\U0001f600"], "empty": "",
}
table.put_item(Item=item)
got = table.get_item(Key={"pk": "CUSTOMER#1", "sk": "ORDER#0"}, ConsistentRead=True)["Item"]
assert got == item, got

try:
    table.put_item(Item=item, ConditionExpression=Attr("pk").not_exists())
    raise AssertionError("the condition held")
except client.exceptions.ConditionalCheckFailedException as e:
    assert e.response["Error"]["Message"] == "The conditional request failed", e.response

updated = table.update_item(
    Key={"pk": "CUSTOMER#1", "sk": "ORDER#0"},
    UpdateExpression="SET #t = #t + :n, parts[0].qty = :two DELETE tags :a",
    ExpressionAttributeNames={"#t": "total"},
    ExpressionAttributeValues={":n": Decimal("0.5"), ":two": Decimal(2), ":a": {"a"}},
    ReturnValues="UPDATED_NEW",
)["Attributes"]
assert updated["total"] == 13 and updated["tags"] == {"b"}, updated

with table.batch_writer(overwrite_by_pkeys=["pk", "sk"]) as batch:
    for i in range(1, 121):
        batch.put_item(Item={"pk": "CUSTOMER#2", "sk": f"ORDER#{i:03}", "status": "paid", "total": i, "text": "x" * 20000})
pages = list(client.get_paginator("query").paginate(
    TableName="orders", KeyConditionExpression="pk = :p", ExpressionAttributeValues={":p": {"S": "CUSTOMER#2"}}))
assert sum(p["Count"] for p in pages) == 120 and len(pages) == 3, [p["Count"] for p in pages]
found = table.query(IndexName="byStatus", KeyConditionExpression=Key("status").eq("paid") & Key("total").between(10, 30), FilterExpression=Attr("sk").ne("ORDER#020"), ScanIndexForward=False)
assert [int(i["total"]) for i in found["Items"]] == [n for n in range(30, 9, -1) if n != 20]
assert sum(p["Count"] for p in client.get_paginator("scan").paginate(TableName="orders", Select="COUNT")) == 121

try:
    client.transact_write_items(TransactItems=[
        {"Put": {"TableName": "orders", "Item": {"pk": {"S": "n"}, "sk": {"S": "n"}}}},
        {"ConditionCheck": {"TableName": "orders", "Key": {"pk": {"S": "no"}, "sk": {"S": "no"}}, "ConditionExpression": "attribute_exists(pk)"}},
    ])
    raise AssertionError("the transaction went through")
except client.exceptions.TransactionCanceledException as e:
    assert [r["Code"] for r in e.response["CancellationReasons"]] == ["None", "ConditionalCheckFailed"], e.response
assert "Item" not in table.get_item(Key={"pk": "n", "sk": "n"})

assert client.execute_statement(Statement='SELECT total FROM "orders" WHERE pk = ? AND sk = ?', Parameters=[{"S": "CUSTOMER#2"}, {"S": "ORDER#007"}])["Items"] == [{"total": {"N": "7"}}]
try:
    client.describe_table(TableName="nope")
    raise AssertionError("a table that is not there")
except ClientError as e:
    assert e.response["Error"] == {"Message": "Requested resource not found: Table: nope not found", "Code": "ResourceNotFoundException"}, e.response
table.delete()
client.get_waiter("table_not_exists").wait(TableName="orders", WaiterConfig={"Delay": 1, "MaxAttempts": 5})
print("ok")
