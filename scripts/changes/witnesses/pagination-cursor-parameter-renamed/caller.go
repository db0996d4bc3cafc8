package caller

import (
	"context"

	"example.com/shop"
)

func Call(ctx context.Context, client *shop.Client) (any, error) {
	ids := []string{}
	for order, err := range client.PaginationCursorParameterRenamed.All(ctx, nil) {
		if err != nil {
			return nil, err
		}
		ids = append(ids, order.ID)
	}
	return ids, nil
}
