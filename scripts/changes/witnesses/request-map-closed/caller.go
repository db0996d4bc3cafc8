package caller

import (
	"context"

	"example.com/shop"
)

func Call(ctx context.Context, client *shop.Client) (any, error) {
	order, err := client.RequestMapClosed.Create(ctx, shop.RequestMapClosedParams{Item: "cup", AdditionalProperties: map[string]string{"colour": "red"}})
	if err != nil {
		return nil, err
	}
	return order.ID, nil
}
