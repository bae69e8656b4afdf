variable "stage" { default = "dev" }
variable "owner" {}
locals {
  prefix = "${var.stage}-shop"
}
resource "aws_dynamodb_table" "orders" {
  name         = "${local.prefix}-orders"
  billing_mode = "PAY_PER_REQUEST"
  hash_key     = "PK"
  range_key    = "SK"

  attribute {
    name = "PK"
    type = "S"
  }
  attribute {
    name = "SK"
    type = "S"
  }
  attribute {
    name = "total"
    type = "N"
  }
  global_secondary_index {
    name            = "ByTotal"
    projection_type = "ALL"
    key_schema {
      attribute_name = "SK"
      key_type       = "HASH"
    }
    key_schema {
      attribute_name = "total"
      key_type       = "RANGE"
    }
  }
  global_secondary_index {
    name               = "Old"
    hash_key           = "SK"
    projection_type    = "INCLUDE"
    non_key_attributes = ["name"]
  }
  local_secondary_index {
    name            = "Local"
    range_key       = "total"
    projection_type = "KEYS_ONLY"
  }
  ttl {
    attribute_name = "expires"
    enabled        = true
  }
  point_in_time_recovery { enabled = true }
  server_side_encryption {
    enabled     = true
    kms_key_arn = aws_kms_key.main.arn
  }
  replica { region_name = "eu-west-1" }
  tags = { owner = var.owner, stage = var.stage }
  import_table { input_format = "CSV" }
}
