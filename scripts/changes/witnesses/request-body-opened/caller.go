package caller

import (
	"context"

	"example.com/shop"
)

func Call(ctx context.Context, client *shop.Client) (any, error) {
	order, err := client.RequestBodyOpened.Create(ctx, shop.RequestBodyOpenedParams{Item: "cup"})
	if err != nil {
		return nil, err
	}
	return order.ID, nil
}
