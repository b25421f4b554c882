import ArgumentParser
import SyncFunction

/// The worker process for sync functions, which the gateway starts; people do not type it.
struct SyncFunctionWorkerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: SyncFunctionWorker.command, abstract: "Runs sync functions for a gateway.", shouldDisplay: false)

    @Option(help: "Bytes of memory it may use.")
    var memory: UInt

    func run() { SyncFunctionWorker.run(memory: memory) }
}
