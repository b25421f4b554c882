import DocumentStore
import Foundation

/// The time from a request to another process for a save until its commit is reported here; each save is on the disk before
/// that.
enum OtherProcessBenchmark: Benchmark {
    static let names = ["store.other_process"]
    /// The first argument of this program where it is the other process; the second is the folder of its database.
    static let saverArgument = "--save-when-asked"
    private static let count = 400
    /// The promised time for an idle machine, in milliseconds.
    private static let limit = 50.0

    static func measure() async throws -> [BenchmarkRow] {
        let store = try StoreDatabase()
        let audience = Audience()
        let token = store.inspections.addChangeListener { _ in audience.heard() }
        defer { token.remove() }
        let saver = try SavingProcess(directory: store.configuration.directory)
        var delays: [Double] = []
        for _ in 0..<count {
            let start = ContinuousClock.now
            try saver.save()
            delays += try await audience.waitForAll(1).map { 1_000 * ($0 - start).inSeconds }
        }
        try saver.end()
        let slowest = delays.sorted()[delays.count * 99 / 100]
        return [
            BenchmarkRow("store.other_process", slowest, "ms p99", .lower, reference: "what is promised", limit)
        ]
    }

    /// Saves a document for each line of standard input.
    static func saveWhenAsked(in directory: String) throws {
        var configuration = DatabaseConfiguration()
        configuration.directory = directory
        let database = try Database(name: StoreDatabase.name, config: configuration)
        let inspections = try database.createCollection(name: "inspections")
        while readLine() != nil { try inspections.save(document: MutableDocument().setInt(1, forKey: "number")) }
        try database.close()
    }
}

/// This program once more, as the other process.
private struct SavingProcess {
    private let process = Process()
    private let requests = Pipe()

    init(directory: String) throws {
        process.executableURL = URL(
            fileURLWithPath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        process.arguments = [OtherProcessBenchmark.saverArgument, directory]
        process.standardInput = requests
        process.standardOutput = FileHandle.nullDevice
        try process.run()
    }

    func save() throws { try requests.fileHandleForWriting.write(contentsOf: Data("\n".utf8)) }

    func end() throws {
        try requests.fileHandleForWriting.close()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchmarkFailure("the other process ended with \(process.terminationStatus)")
        }
    }
}
