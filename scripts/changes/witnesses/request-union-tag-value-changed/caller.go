package caller

import (
	"context"

	"example.com/shop"
)

func Call(ctx context.Context, client *shop.Client) (any, error) {
	order, err := client.RequestUnionTagValueChanged.Create(ctx, shop.RequestUnionTagValueChangedParams{Pay: shop.RequestUnionTagValueChangedCard{Number: "42"}})
	if err != nil {
		return nil, err
	}
	return order.ID, nil
}
