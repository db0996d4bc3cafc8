package caller

import (
	"context"

	"example.com/shop"
)

func Call(ctx context.Context, client *shop.Client) (any, error) {
	order, err := client.RequestVariantAdded.Create(ctx, shop.RequestVariantAddedParams{Pay: shop.RequestVariantAddedCard{Number: "42"}})
	if err != nil {
		return nil, err
	}
	return order.ID, nil
}
