# frozen_string_literal: true

require "open3"
require "tmpdir"
require_relative "../helper"

# Runs the programs of the pages about frameworks and stores.
class PagesTest < Minitest::Test
  include Deliveries

  DOCS = File.expand_path("../../../../docs", __dir__)
  LIB = File.expand_path("../../lib", __dir__)

  # What a Rails application has besides the files of the page.
  RAILS = <<~'RUBY'
    require "action_controller/railtie"

    class Shop3 < Rails::Application
      config.root = __dir__
      config.eager_load = false
      config.secret_key_base = "0" * 64
      config.logger = Logger.new(IO::NULL)
    end

    Rails.application.initialize!
    run Rails.application
  RUBY

  # The programs of a page by their files.
  def programs(page)
    blocks = File.read("#{DOCS}/#{page}").scan(%r{^```ruby\n(# ([\w./]+).*?)^```$}m)
    blocks.to_h { |code, file| [file, code] }
  end

  def in_folder(files)
    Dir.mktmpdir do |folder|
      files.each do |file, code|
        FileUtils.mkdir_p(File.dirname("#{folder}/#{file}"))
        File.write("#{folder}/#{file}", code)
      end
      yield folder
    end
  end

  def environment(**more)
    { "RUBYLIB" => [LIB, ENV.fetch("RUBYLIB", nil)].compact.join(":"),
      "SUPPORT_CHAT_WEBHOOK_SECRET" => SECRET, **more }
  end

  { "rails" => { "config.ru" => RAILS }, "sinatra" => {}, "rack" => {} }.each do |page, more|
    define_method(:"test_#{page}.md receives an event") do
      shop = programs("webhooks.md").slice("shop.rb")
      in_folder({ **shop, **more, **programs("webhooks/#{page}.md") }) do |folder|
        served(folder) do |port|
          assert_equal [204, 401], [deliver(port), deliver(port, "whsec_other")]
        end
      end
    end
  end

  def served(folder, *options, environment: self.environment)
    puma = "load Gem.bin_path('puma', 'puma')"
    command = [Gem.ruby, "-e", puma, "--", "--bind", "tcp://127.0.0.1:0", *options]
    Open3.popen2e(environment, *command, chdir: folder) do |_input, output, process|
      text = +""
      text << output.readpartial(4096) until text[/Listening on .*:(\d+)$/]
      yield Integer(text[/Listening on .*:(\d+)$/, 1])
    rescue EOFError
      flunk(text)
    ensure
      Process.kill(:TERM, process.pid)
      output.read # a server that cannot say that it stops may never do so
    end
  end

  def deliver(port, secret = SECRET, **overrides)
    delivery = SupportChat::Testing.fake_delivery("conversation.handoff", secret:, overrides:)
    uri = URI("http://127.0.0.1:#{port}/webhooks")
    Net::HTTP.post(uri, delivery.body, delivery.headers).code.to_i
  end

  STORES = %w[redis_store.rb postgres_store.rb sqlite_store.rb once.rb].freeze

  def test_the_stores_keep_an_event
    files = programs("webhooks/ruby-stores.md")
    STORES.each do |file|
      in_folder(files) do |folder|
        code = "require './#{file}'; p STORE.begin('evt_#{rand(2**64)}').state"
        output, errors, status = Open3.capture3(databases, Gem.ruby, "-e", code, chdir: folder)
        assert_equal [":new\n", true], [output, status.success?], errors
      end
    end
  end

  # A server with two workers, which loads the store before it forks them.
  CLUSTER = <<~'RUBY'
    require "active_record"
    require_relative "postgres_store"

    webhooks = SupportChat::Webhooks.new(ENV.fetch("SUPPORT_CHAT_WEBHOOK_SECRET"))
    on_error = ->(error) { File.write("errors.txt", "#{error.full_message}\n", mode: "a") }
    run(SupportChat::Webhooks::RackApp.new(webhooks, store: STORE, on_error:) do |event|
      File.write("handled.txt", "#{event.id}\n", mode: "a")
    end)
  RUBY

  def test_workers_share_a_store
    files = programs("webhooks/ruby-stores.md")
    ids = Array.new(20) { "evt_#{SecureRandom.hex}" }
    in_folder({ **files, "config.ru" => CLUSTER }) do |folder|
      served(folder, "--workers", "2", "--preload", environment: databases) do |port|
        statuses = (ids * 3).shuffle.map { |id| Thread.new { deliver(port, id:) } }.map(&:value)
        assert_empty statuses - [204, 503]
        errors = -> { File.read("#{folder}/errors.txt") }
        ids.each { |id| assert_equal 204, deliver(port, id:), errors }
      end
      assert_equal ids.sort, File.readlines("#{folder}/handled.txt", chomp: true).sort
    end
  end

  def databases
    environment("REDIS_URL" => ENV.fetch("TEST_REDIS_URL"),
                "DATABASE_URL" => ENV.fetch("TEST_POSTGRES_URL"))
  end

  def test_a_store_is_checked
    in_folder(programs("webhooks/ruby-stores.md")) do |folder|
      output, status = Open3.capture2e(environment, Gem.ruby, "test_store.rb", chdir: folder)
      assert_predicate status, :success?, output
    end
  end
end
