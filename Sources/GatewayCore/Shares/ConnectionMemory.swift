import BLIPTransport
import Synchronization

/// What one connection takes in memory, on its user's account: messages that are on their way in or out, and pushed
/// revisions that wait for the store or for their attachments.
package final class ConnectionMemory: BLIPMemory {
    private struct State {
        var messages = 0
        var revisions = 0
        var refusal: ByteLedger.Refusal?
    }

    private let holder: ByteShares.Holder
    private let state = Mutex(State())
    private let revisionSteps = Atomic(0)

    package init(_ holder: ByteShares.Holder) { self.holder = holder }

    /// What was refused last.
    package var refusal: ByteLedger.Refusal? { state.withLock { $0.refusal } }

    package func hold(_ bytes: Int) -> Bool { hold(bytes, in: \.messages) }

    /// The same for revisions that the session keeps, in steps: most are stored at once, hundreds together.
    func holdRevisions(_ bytes: Int, orElse giveUp: () -> Void) {
        let step = TransportLimits.memoryStep
        let steps = (bytes + step - 1) / step
        guard steps != revisionSteps.load(ordering: .relaxed) else { return }
        revisionSteps.store(steps, ordering: .relaxed)
        if !hold(steps * step, in: \.revisions) { giveUp() }
    }

    private func hold(_ bytes: Int, in part: WritableKeyPath<State, Int>) -> Bool {
        state.withLock { state in
            let more = bytes - state[keyPath: part]
            do throws(ByteLedger.Refusal) {
                if more > 0 { try holder.take(more) } else if more < 0 { holder.giveBack(-more) }
            } catch {
                state.refusal = error
                return false
            }
            state[keyPath: part] = bytes
            return true
        }
    }
}
