# frozen_string_literal: true

# Records the files of the repository that a Ruby process reads, as recorder.mjs does for Node.js.
# RUBYOPT has it loaded before anything else.
module ReadRecorder
  FOLDER = ENV.fetch("RECORD_READS", nil)
  ROOT = "#{File.expand_path('../..', __dir__)}/".freeze
  # Fills up while the process runs; frozen, it could record nothing.
  SEEN = {} # rubocop:disable Style/MutableConstant

  def self.record(path)
    path = path.to_path if path.respond_to?(:to_path)
    return unless path.is_a?(String)

    SEEN[File.expand_path(path)] = true
  end

  def self.write
    SEEN.merge!($LOADED_FEATURES.to_h { |path| [path, true] })
    paths = SEEN.keys.select { |path| path.start_with?(ROOT) }
    IO.write(File.join(FOLDER, "ruby-#{Process.pid}"), paths.map { |path| "#{path}\n" }.join)
  rescue SystemCallError
    nil # The tests are over, and this process has outlived them.
  end

  # What reads a file by the name that comes first.
  module Reads
    %i[open new read binread readlines foreach].each do |name|
      define_method(name) do |path, *rest, **options, &block|
        ReadRecorder.record(path)
        super(path, *rest, **options, &block)
      end
    end
  end
end

if ReadRecorder::FOLDER
  File.singleton_class.prepend(ReadRecorder::Reads)
  at_exit { ReadRecorder.write }
end
