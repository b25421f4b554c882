import Dispatch
import Testing

@testable import GatewayCore

/// A task that goes on after its work with a lent connection: `use(_:then:)`.
@Suite(.timeLimit(.minutes(1))) struct LentConnectionEndTests {
    private struct Refused: Error {}

    private static let key = DispatchSpecificKey<Int>()

    /// The queue whose thread lends; 1 is its mark.
    private let queue: DispatchQueue

    init() {
        queue = DispatchQueue(label: "lender")
        queue.setSpecific(key: Self.key, value: 1)
    }

    private static var mark: Int? { DispatchQueue.getSpecific(key: key) }

    /// Lends 7, and returns when the thread has it back.
    private func lend(by lent: LentConnection<Int>) async {
        await withCheckedContinuation { continuation in
            queue.async {
                lent.lend(7)
                continuation.resume()
            }
        }
    }

    /// The lender need not wait for the rest of the task, which waits for the lender here.
    @Test func theConnectionIsGivenBackBeforeTheRestEnds() async throws {
        let lent = LentConnection<Int>()
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        async let lending: Void = {
            await lend(by: lent)
            end.finish()
        }()
        let (result, rest) = await lent.use { connection in
            await Task.yield()
            return (connection, Self.mark)
        } then: { giveBack in
            let before = Self.mark
            giveBack()
            for await _ in ends {}
            return (before, Self.mark)
        }
        await lending
        let (connection, mark) = try result.get()
        #expect(connection == 7 && mark == 1)
        #expect(rest.0 == 1, "the task does not change threads before it has given the connection back")
        #expect(rest.1 == nil, "the thread serves others from then on")
        lent.whileLent { _ in Issue.record("it is given back") }
    }

    @Test func aRestThatDoesNotGiveTheConnectionBackHasItToItsEnd() async throws {
        let lent = LentConnection<Int>()
        async let lending: Void = lend(by: lent)
        let (result, isLent) = await lent.use {
            $0
        } then: { _ in
            await Task.yield()
            var isLent = false
            lent.whileLent { _ in isLent = true }
            return isLent
        }
        await lending
        #expect(try result.get() == 7 && isLent)
        lent.whileLent { _ in Issue.record("it is given back") }
    }

    @Test func theRestRunsAfterAnErrorOfTheBody() async {
        let lent = LentConnection<Int>()
        async let lending: Void = lend(by: lent)
        let (result, mark) = await lent.use { _ -> Int in
            await Task.yield()
            throw Refused()
        } then: { giveBack in
            giveBack()
            giveBack()
            return Self.mark
        }
        await lending
        #expect(throws: Refused.self) { try result.get() }
        #expect(mark == 1)
    }

    @Test func theRestRunsWhereNoConnectionIsLent() async {
        let lent = LentConnection<Int>()
        lent.refuse(with: Refused())
        let (result, rest) = await lent.use {
            $0
        } then: { giveBack in
            giveBack()
            return "rest"
        }
        #expect(throws: Refused.self) { try result.get() }
        #expect(rest == "rest")
    }
}
