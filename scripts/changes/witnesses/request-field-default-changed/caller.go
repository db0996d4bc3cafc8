package caller

import (
	"context"

	"example.com/shop"
)

func Call(ctx context.Context, client *shop.Client) (any, error) {
	order, err := client.RequestFieldDefaultChanged.Create(ctx, shop.RequestFieldDefaultChangedParams{Item: "cup"})
	if err != nil {
		return nil, err
	}
	return order.Colour, nil
}
