require "shop"

# status of orders.get stays in a comment, and in a text.
LABEL = "order.status of client.orders.get"

class Hit
  def run(client, id, lang)
    order = client.orders.get(id)
    again = client
      .orders
      .get(id)
    client.orders.list(lang: lang).auto_paging_each { |one| puts one.status }
    client.orders.list(lang:).auto_paging_each do |one|
      one.lines.each { |line| puts line.price }
    end
    page = client.orders.list(lang: "de")
    page.data.map { |entry| entry.status }
    client.orders.create(item: "cup", gift: { wish: "Hello" })
    client.orders.create(item: wish(gift: { wish: "no" }))
    client.orders.notes.create(id, text: "x")
    client.orders.notes.with_response.create(id, text: "x")
    client.orders.notes.with_response.list(id)
    client.orders.with_response.get(id)
    [order.status, again&.status, order.lines[0].price, order.lines.first]
  end

  def handle(event)
    case event
    when Shop::OrderPaidEvent then event.data.total
    when Invoice then event.data.total
    end
  end

  def check(line)
    line.is_a?(Shop::Line) && line.price
  end

  def told(client, id, job)
    case client.orders.get(id)
    in { status: "open" } then 1
    in { status: } then status
    end
    case job
    in { status: "open" } then 2
    end
    client.orders&.notes&.create(id, text: "x")
  end

  def foreign(client, id, rows)
    order = db.orders.find(id)
    other = db.items.get(id)
    db.log(lang: "de", wish: "x")
    client.notes.create(id, text: "x")
    line = Line.new
    [order.status, other.status, line.price, rows.map { |row| row.status }]
  end
end
