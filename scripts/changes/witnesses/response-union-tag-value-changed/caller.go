package caller

import (
	"context"

	"example.com/shop"
)

func Call(ctx context.Context, client *shop.Client) (any, error) {
	order, err := client.ResponseUnionTagValueChanged.Get(ctx, "ord_1")
	if err != nil {
		return nil, err
	}
	if pay, ok := order.Pay.(shop.ResponseUnionTagValueChangedCard); ok {
		return pay.Number, nil
	}
	return "other", nil
}
