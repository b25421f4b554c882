import DocumentValues
import Foundation
import Glibc

/// A running worker and the pipes to it. Used from one queue.
final class WorkerProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    /// The functions it has compiled.
    private(set) var functions: [SyncFunctionSource: Int] = [:]

    init(executable: URL) throws {
        // A worker that dies must show as an error of `write`, not as a signal that ends the gateway.
        signal(SIGPIPE, SIG_IGN)
        process.executableURL = executable
        process.arguments = [SyncFunctionWorker.command]
        process.standardInput = input
        process.standardOutput = output
        // Nothing that the gateway's environment holds is a script's business.
        process.environment = [:]
        try process.run()
    }

    deinit { kill() }

    var isRunning: Bool { process.isRunning }

    func kill() {
        if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) }
    }

    /// One trip: a frame there, a frame back.
    func exchange(_ body: [UInt8], within limit: Duration) throws -> [UInt8] {
        guard WorkerFrames.write(WorkerFrames.frame(body), to: input.fileHandleForWriting.fileDescriptor) else {
            throw WorkerFrames.ReadError.ended
        }
        return try WorkerFrames.read(
            from: output.fileHandleForReading.fileDescriptor, until: ContinuousClock.now + limit)
    }

    /// The function's number; a text that does not compile throws a `SyntaxProblem`.
    func define(_ function: SyncFunctionSource, within limit: Duration) throws -> Int {
        if let number = functions[function] { return number }
        let number = functions.count + 1
        let request: JSONValue = ["define": .int(number), "text": .string(function.text)]
        let reply = try JSONValue(parsing: try exchange(request.bytes, within: limit))
        if let problem = reply.stringValue { throw SyntaxProblem(text: problem) }
        functions[function] = number
        return number
    }

    struct SyntaxProblem: Error { let text: String }
}
