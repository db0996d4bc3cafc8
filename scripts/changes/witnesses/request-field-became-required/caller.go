package caller

import (
	"context"

	"example.com/shop"
)

func Call(ctx context.Context, client *shop.Client) (any, error) {
	order, err := client.RequestFieldBecameRequired.Create(ctx, shop.RequestFieldBecameRequiredParams{Item: "cup"})
	if err != nil {
		return nil, err
	}
	return order.ID, nil
}
