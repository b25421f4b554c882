import Foundation
import Glibc

/// The built programs, run as a user runs them.
enum Program: String {
    case fieldbook
    case gateway = "fieldbook-gateway"

    /// They are beside the test bundle.
    var url: URL {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent(rawValue)
    }

    struct Output {
        let status: Int32
        let out: String
        let err: String

        /// The JSON objects of the standard output, one a line.
        var events: [[String: Any]] {
            out.split(separator: "\n").compactMap {
                try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
            }
        }
    }

    /// Runs to the end; a program that does not end within the limit is killed and reported by its status.
    @discardableResult
    func run(_ arguments: [String], input: String = "", limit: TimeInterval = 60) throws -> Output {
        let running = try start(arguments, input: input)
        return running.finish(limit: limit)
    }

    func start(
        _ arguments: [String], input: String = "", environment: [String: String] = [:]
    ) throws -> RunningProgram {
        try RunningProgram(url, arguments, input: input, environment: environment)
    }
}

/// A program that is running, with its output going to files so that no pipe can fill.
final class RunningProgram {
    private let process: SpawnedProcess
    private let folder: URL

    init(_ url: URL, _ arguments: [String], input: String, environment: [String: String] = [:]) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(input.utf8).write(to: folder.appendingPathComponent("in"))
        process = try SpawnedProcess(
            [url.path] + arguments, environment: ProcessInfo.processInfo.environment.merging(environment) { $1 },
            filesIn: folder)
    }

    var isRunning: Bool { process.status == nil }

    var identifier: Int32 { process.identifier }

    func signal(_ number: Int32) {
        // One that has ended may have left its number to another.
        if isRunning { Glibc.kill(process.identifier, number) }
    }

    func finish(limit: TimeInterval) -> Program.Output {
        let deadline = Date().addingTimeInterval(limit)
        while isRunning, Date() < deadline { usleep(2_000) }
        if isRunning {
            signal(SIGKILL)
            // Not without a limit: one test that waits for ever would keep the results of all others back.
            guard eventually(within: 60, { !isRunning }) else {
                return Program.Output(status: -1, out: text("out"), err: text("err") + "\n(It outlives SIGKILL.)")
            }
        }
        let output = Program.Output(status: process.status ?? -1, out: text("out"), err: text("err"))
        try? FileManager.default.removeItem(at: folder)
        return output
    }

    /// What it has printed so far.
    var outputSoFar: String { text("out") }

    var errorsSoFar: String { text("err") }

    private func text(_ name: String) -> String {
        String(decoding: (try? Data(contentsOf: folder.appendingPathComponent(name))) ?? Data(), as: UTF8.self)
    }
}

/// Waits for something to become true, with a limit; the condition is looked at often, never guessed by a pause.
func eventually(within limit: TimeInterval = 20, _ condition: () throws -> Bool) rethrows -> Bool {
    let deadline = Date().addingTimeInterval(limit)
    while Date() < deadline {
        if try condition() { return true }
        usleep(5_000)
    }
    return try condition()
}
