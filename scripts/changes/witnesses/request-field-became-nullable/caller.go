package caller

import (
	"context"

	"example.com/shop"
)

func Call(ctx context.Context, client *shop.Client) (any, error) {
	order, err := client.RequestFieldBecameNullable.Create(ctx, shop.RequestFieldBecameNullableParams{Item: "cup", Quantity: 2})
	if err != nil {
		return nil, err
	}
	return order.ID, nil
}
