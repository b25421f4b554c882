import ArgumentParser
import SyncFunction

/// What the gateway starts to run sync functions in; never typed by a person.
struct SyncFunctionWorkerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: SyncFunctionWorker.command, abstract: "Runs sync functions for a gateway.", shouldDisplay: false)

    @Option(help: "Bytes of memory it may use.")
    var memory: UInt

    func run() { SyncFunctionWorker.run(memory: memory) }
}
