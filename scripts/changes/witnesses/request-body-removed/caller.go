package caller

import (
	"context"

	"example.com/shop"
)

func Call(ctx context.Context, client *shop.Client) (any, error) {
	order, err := client.RequestBodyRemoved.Create(ctx, shop.RequestBodyRemovedParams{Item: "cup"})
	if err != nil {
		return nil, err
	}
	return order.Item, nil
}
