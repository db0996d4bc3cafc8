def handle(event)
  event.data.state == "open" if event.is_a?(Shop::EventEnumOpenedPaidEvent)
end
