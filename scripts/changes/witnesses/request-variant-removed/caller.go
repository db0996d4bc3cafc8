package caller

import (
	"context"

	"example.com/shop"
)

func Call(ctx context.Context, client *shop.Client) (any, error) {
	order, err := client.RequestVariantRemoved.Create(ctx, shop.RequestVariantRemovedParams{Pay: shop.RequestVariantRemovedGift{Code: "X"}})
	if err != nil {
		return nil, err
	}
	return order.ID, nil
}
