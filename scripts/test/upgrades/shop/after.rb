require "shop"

# status of orders.get stays in a comment, and in a text.
LABEL = "order.status of client.orders.get"

class Hit
  def run(client, id, lang)
    order = client.orders.fetch(id)
    again = client
      .orders
      .fetch(id)
    client.orders.list(language: lang).auto_paging_each { |one| puts one.state }
    client.orders.list(language: lang).auto_paging_each do |one|
      one.lines.each { |line| puts line.cost }
    end
    page = client.orders.list(language: "de")
    page.data.map { |entry| entry.state }
    client.orders.create(item: "cup", gift: { words: "Hello" })
    client.orders.create(item: wish(gift: { wish: "no" }))
    client.orders.remarks.add(id, text: "x")
    client.orders.remarks.with_response.add(id, text: "x")
    client.orders.notes.with_response.list(id)
    client.orders.with_response.fetch(id)
    [order.state, again&.state, order.lines[0].cost, order.lines.first]
  end

  def handle(event)
    case event
    when Shop::OrderPaidEvent then event.data.amount
    when Invoice then event.data.total
    end
  end

  def check(line)
    line.is_a?(Shop::OrderLine) && line.cost
  end

  def told(client, id, job)
    case client.orders.fetch(id)
    in { state: "open" } then 1
    in { state: status } then status
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
