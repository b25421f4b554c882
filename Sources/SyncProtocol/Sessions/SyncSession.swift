import BLIPProtocol
import DocumentValues

/// The machine of one side of a connection: what both sides do alike.
protocol SyncSession {
    associatedtype Action: SessionAction
    associatedtype Job: SessionJob

    var output: SessionOutput<Action, Job> { get set }

    /// Handles a request of the other side. A thrown error is its answer.
    ///
    /// - Parameter number: of the request; `nil` if it wants no answer.
    mutating func dispatch(
        _ message: BLIPMessage, as profile: MessageProfile, replyTo number: UInt32?
    ) throws(BLIPErrorReply)
}

extension SyncSession {
    mutating func receiveRequest(_ message: BLIPMessage) {
        let number = message.isNoReply ? nil : message.number
        do throws(BLIPErrorReply) {
            guard let profile = message.profile.flatMap({ MessageProfile(exactly: $0) }) else {
                throw .unknownProfile(message.profile)
            }
            try dispatch(message, as: profile, replyTo: number)
        } catch {
            output.refuse(number, with: error)
        }
    }
}
