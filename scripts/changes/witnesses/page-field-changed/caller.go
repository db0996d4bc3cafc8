package caller

import (
	"context"

	"example.com/shop"
)

func Call(ctx context.Context, client *shop.Client) (any, error) {
	page, err := client.PageFieldChanged.List(ctx, nil)
	if err != nil {
		return nil, err
	}
	ids := []string{}
	for _, order := range page.Data {
		ids = append(ids, order.ID)
	}
	return ids, nil
}
