package caller

import (
	"context"

	"example.com/shop"
)

func Call(ctx context.Context, client *shop.Client) (any, error) {
	order, err := client.ResponseVariantRemoved.Get(ctx, "ord_1")
	if err != nil {
		return nil, err
	}
	if pay, ok := order.Pay.(shop.ResponseVariantRemovedGift); ok {
		return pay.Code, nil
	}
	return "other", nil
}
