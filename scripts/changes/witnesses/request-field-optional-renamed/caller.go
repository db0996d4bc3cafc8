package caller

import (
	"context"

	"example.com/shop"
)

func Call(ctx context.Context, client *shop.Client) (any, error) {
	note := "Hello"
	order, err := client.RequestFieldOptionalRenamed.Create(ctx, shop.RequestFieldOptionalRenamedParams{Item: "cup", Note: &note})
	if err != nil {
		return nil, err
	}
	return order.Note, nil
}
