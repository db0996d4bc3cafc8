def handle(event)
  event.data.state == "lost" if event.is_a?(Shop::EventEnumValueRemovedPaidEvent)
end
