# The AWS CLI: a table, items, an index, pages, a refusal, waiters.
set -euo pipefail
dynamodb() { aws dynamodb "$@"; }
equal() { [ "$1" = "$2" ] || { echo "got  $1"; echo "want $2"; exit 1; }; }

dynamodb create-table --table-name orders --billing-mode PAY_PER_REQUEST \
  --attribute-definitions AttributeName=pk,AttributeType=S AttributeName=sk,AttributeType=S AttributeName=status,AttributeType=S \
  --key-schema AttributeName=pk,KeyType=HASH AttributeName=sk,KeyType=RANGE \
  --global-secondary-indexes 'IndexName=byStatus,KeySchema=[{AttributeName=status,KeyType=HASH}],Projection={ProjectionType=ALL}' >/dev/null
dynamodb wait table-exists --table-name orders
equal "$(dynamodb list-tables --query TableNames --output text)" orders

puts=
for i in 1 2 3 4 5; do
  puts+="${puts:+,}{\"PutRequest\":{\"Item\":{\"pk\":{\"S\":\"a\"},\"sk\":{\"S\":\"$i\"},\"status\":{\"S\":\"open\"},\"size\":{\"N\":\"$i.50\"}}}}"
done
equal "$(dynamodb batch-write-item --request-items "{\"orders\":[$puts]}" --query 'length(UnprocessedItems)' --output text)" 0
equal "$(dynamodb get-item --table-name orders --key '{"pk":{"S":"a"},"sk":{"S":"2"}}' --query Item.size.N --output text)" 2.5
equal "$(dynamodb query --table-name orders --page-size 2 --no-scan-index-forward --key-condition-expression 'pk = :p' \
  --expression-attribute-values '{":p":{"S":"a"}}' --query 'Items[].sk.S' --output text | xargs)" "5 4 3 2 1"
equal "$(dynamodb query --table-name orders --index-name byStatus --max-items 3 --key-condition-expression '#s = :s' \
  --expression-attribute-names '{"#s":"status"}' --expression-attribute-values '{":s":{"S":"open"}}' --query 'length(Items)' --output text)" 3
equal "$(dynamodb update-item --table-name orders --key '{"pk":{"S":"a"},"sk":{"S":"2"}}' --update-expression 'ADD n :one' \
  --expression-attribute-values '{":one":{"N":"1"}}' --return-values UPDATED_NEW --query Attributes.n.N --output text)" 1
refused="$(dynamodb put-item --table-name orders --item '{"pk":{"S":"a"}}' 2>&1)" && exit 1
case "$refused" in *"(ValidationException)"*"Missing the key sk in the item"*) ;; *) echo "$refused"; exit 1 ;; esac
dynamodb delete-table --table-name orders >/dev/null
dynamodb wait table-not-exists --table-name orders
echo ok
