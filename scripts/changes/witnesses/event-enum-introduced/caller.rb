def handle(event)
  event.data.state if event.is_a?(Shop::EventEnumIntroducedPaidEvent)
end
