/// What is between a command and the sync service.
struct ServiceTrouble: Error, CustomStringConvertible {
    let description: String

    static func runsAlready(process: Int32?) -> ServiceTrouble {
        ServiceTrouble(
            description: "The sync service of this folder runs already\(name(process)). How it fares: status")
    }

    static func doesNotAnswer(process: Int32?) -> ServiceTrouble {
        let way = process.map { "Stop it with: kill \($0). " } ?? ""
        return ServiceTrouble(
            description: "The sync service\(name(process)) does not answer. \(way)Then sync again; your records are "
                + "safe here.")
    }

    static let ended = ServiceTrouble(
        description: "The sync service has ended before it had done it. Sync again; your records are safe here.")

    static let folderIsBusy = ServiceTrouble(
        description: "Another sync of this folder runs, perhaps in another window. Wait until it has ended.")

    /// The service has tried, and this is what came of it.
    static func failed(_ why: String, goesOnByItself: Bool) -> ServiceTrouble {
        ServiceTrouble(
            description: goesOnByItself
                ? "\(why) Your records are safe here; the sync service goes on when the gateway is back." : why)
    }

    private static func name(_ process: Int32?) -> String { process.map { " (process \($0))" } ?? "" }
}
