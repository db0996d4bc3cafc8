package caller

import (
	"context"

	"example.com/shop"
)

func Call(ctx context.Context, client *shop.Client) (any, error) {
	order, err := client.IdempotencyHeaderRenamed.Create(ctx, shop.IdempotencyHeaderRenamedParams{Item: "cup"})
	if err != nil {
		return nil, err
	}
	return order.Recognized, nil
}
