import DocumentValues
import Foundation
import Logging
import Synchronization

/// Runs sync functions in a worker process that can be killed.
///
/// Calls go over in batches. A batch that is not answered in time costs the worker its life; its calls are then run
/// one by one, and the one that does it again is refused. A worker that dies is replaced. No call is ever answered
/// without having been run to its end.
package final class SyncFunctionRunner: SyncFunctionRunning {
    private let executable: URL
    private let timeout: Duration
    private let logger: Logger
    private let queue = DispatchQueue(label: "sync-function", qos: .userInitiated)
    /// Touched on `queue` only.
    private nonisolated(unsafe) var worker: WorkerProcess?

    /// - Parameter executable: a program that runs `SyncFunctionWorker.run()` for the argument `sync-function-worker`.
    package init(executable: URL, timeout: Duration = SyncFunctionLimits.timeout, logger: Logger) {
        self.executable = executable
        self.timeout = timeout
        self.logger = logger
    }

    package func run(_ calls: [SyncFunctionCall]) async throws -> [SyncFunctionOutcome] {
        var outcomes = calls.map { $0.function.standardOutcome($0.document) }
        let open = outcomes.indices.filter { outcomes[$0] == nil }
        guard !open.isEmpty else { return outcomes.compactMap(\.self) }
        let answers = try await onQueue { try self.runInWorker(open.map { calls[$0] }) }
        for (index, answer) in zip(open, answers) { outcomes[index] = answer }
        return outcomes.compactMap(\.self)
    }

    package func problem(with function: SyncFunctionSource) async throws -> String? {
        try await onQueue {
            do {
                _ = try self.readyWorker().define(function, within: self.timeout)
                return nil
            } catch let problem as WorkerProcess.SyntaxProblem {
                return "invalid javascript syntax: \(problem.text)"
            } catch is WorkerFrames.ReadError {
                self.dropWorker("a function could not be compiled in time")
                return "invalid javascript syntax: it does not come to an end"
            }
        }
    }

    private func onQueue<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body() }) }
        }
    }

    // MARK: - On the queue

    private func readyWorker() throws -> WorkerProcess {
        if let worker, worker.isRunning, worker.functions.count < SyncFunctionLimits.compiledFunctions { return worker }
        worker?.kill()
        let fresh = try WorkerProcess(executable: executable)
        worker = fresh
        return fresh
    }

    private func dropWorker(_ reason: String) {
        logger.warning("A sync function worker was replaced", metadata: ["reason": "\(reason)"])
        worker?.kill()
        worker = nil
    }

    private func runInWorker(_ calls: [SyncFunctionCall]) throws -> [SyncFunctionOutcome] {
        var outcomes: [SyncFunctionOutcome] = []
        var rest = calls[...]
        while !rest.isEmpty {
            let batch = rest.prefix(Self.batchLength(rest))
            rest = rest.dropFirst(batch.count)
            outcomes += try runBatch(Array(batch))
        }
        return outcomes
    }

    private static func batchLength(_ calls: ArraySlice<SyncFunctionCall>) -> Int {
        var bytes = 0
        var count = 0
        for call in calls.prefix(SyncFunctionLimits.batch) {
            bytes += call.document.count + (call.oldDocument?.count ?? 0)
            if count > 0, bytes > SyncFunctionLimits.batchBytes { break }
            count += 1
        }
        return count
    }

    private func runBatch(_ calls: [SyncFunctionCall]) throws -> [SyncFunctionOutcome] {
        do {
            return try exchange(calls)
        } catch let error as WorkerFrames.ReadError {
            dropWorker("\(error)")
            guard calls.count > 1 else { return [Self.failure(error)] }
            return try calls.flatMap { try runBatch([$0]) }
        }
    }

    private static func failure(_ error: WorkerFrames.ReadError) -> SyncFunctionOutcome {
        let reason =
            switch error {
            case .timedOut: "JS sync function timed out"
            case .ended, .tooLarge: "Exception in JS sync function"
            }
        return SyncFunctionOutcome(rejection: .init(status: 500, reason: reason))
    }

    private func exchange(_ calls: [SyncFunctionCall]) throws -> [SyncFunctionOutcome] {
        let worker = try readyWorker()
        var request: [UInt8] = [UInt8(ascii: "[")]
        for (index, call) in calls.enumerated() {
            if index > 0 { request.append(UInt8(ascii: ",")) }
            let number: Int
            do {
                number = try worker.define(call.function, within: timeout)
            } catch is WorkerProcess.SyntaxProblem {
                // Configured functions were checked; this one was not meant to get here. Refuse, never accept.
                return calls.map { _ in
                    SyncFunctionOutcome(rejection: .init(status: 500, reason: "Exception in JS sync function"))
                }
            }
            Self.append(call, number, to: &request)
        }
        request.append(UInt8(ascii: "]"))
        let reply = try JSONValue(parsing: try worker.exchange(request, within: timeout))
        guard let elements = reply.arrayValue, elements.count == calls.count else {
            throw WorkerFrames.ReadError.ended
        }
        return elements.map(SyncFunctionOutcome.init)
    }

    private static func append(_ call: SyncFunctionCall, _ number: Int, to request: inout [UInt8]) {
        request += Array(#"{"f":\#(number),"doc":"#.utf8) + call.document
        request += Array(#","old":"#.utf8) + (call.oldDocument ?? Array("null".utf8))
        request += Array(#","user":"#.utf8)
        if let user = call.user {
            let object: JSONValue = [
                "name": .string(user.name), "roles": .array(user.roles.sorted().map { .string($0) }),
                "channels": .array(user.channels.sorted().map { .string($0) }),
            ]
            request += object.bytes
        } else {
            request += Array("null".utf8)
        }
        request.append(UInt8(ascii: "}"))
    }
}

extension SyncFunctionOutcome {
    /// What the prelude returned; anything else is a refusal.
    fileprivate init(_ value: JSONValue) {
        self.init()
        guard let object = value.objectValue else {
            rejection = Rejection(status: 500, reason: "Exception in JS sync function")
            return
        }
        if let refusal = object["rejection"] {
            rejection = Rejection(
                status: Int(refusal["status"]?.integerValue ?? 500),
                reason: refusal["reason"]?.stringValue ?? "Exception in JS sync function")
        }
        channels = Set((object["channels"]?.arrayValue ?? []).compactMap(\.stringValue))
        access = Self.grants(object["access"])
        roles = Self.grants(object["roles"])
        switch object["expiry"] {
        case .number(let number)?: expiry = number.int64.map { .seconds($0) } ?? .seconds(Int64(number.double))
        case .string(let text)?: expiry = .text(text)
        case .null?, .bool?, .array?, .object?, nil: break
        }
    }

    private static func grants(_ value: JSONValue?) -> [String: Set<String>] {
        var result: [String: Set<String>] = [:]
        for member in value?.objectValue ?? [:] {
            result[member.key] = Set((member.value.arrayValue ?? []).compactMap(\.stringValue))
        }
        return result
    }
}
