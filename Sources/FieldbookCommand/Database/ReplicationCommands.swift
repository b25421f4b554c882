import ArgumentParser
import Fieldbook

/// `fieldbook db push`
struct PushCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push", abstract: "Sends the folder's changes to a gateway.")

    @OptionGroup var options: ReplicationOptions

    func run() async throws { try await ReplicationRun(options, type: .push).run() }
}

/// `fieldbook db pull`
struct PullCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pull", abstract: "Brings a gateway's changes into the folder.")

    @OptionGroup var options: ReplicationOptions

    func run() async throws { try await ReplicationRun(options, type: .pull).run() }
}

/// `fieldbook db sync`
struct SyncDatabaseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "sync", abstract: "Does both.")

    @OptionGroup var options: ReplicationOptions

    func run() async throws { try await ReplicationRun(options, type: .pushAndPull).run() }
}
