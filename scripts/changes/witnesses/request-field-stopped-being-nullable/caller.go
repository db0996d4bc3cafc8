package caller

import (
	"context"

	"example.com/shop"
)

func Call(ctx context.Context, client *shop.Client) (any, error) {
	order, err := client.RequestFieldStoppedBeingNullable.Create(ctx, shop.RequestFieldStoppedBeingNullableParams{Item: "cup", Quantity: nil})
	if err != nil {
		return nil, err
	}
	return order.ID, nil
}
