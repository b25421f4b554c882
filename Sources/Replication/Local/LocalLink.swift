import BLIPProtocol
import BLIPTransport
import Dispatch
import NIOCore

/// Connects two ends in one process: two protocol engines whose frames go from the one to the other.
///
/// Only the layers below the engines are left out. So the engines work as over a socket: messages take turns, and blobs
/// are sent piece by piece, with as little in memory.
// Unchecked: all stored variables are touched on `queue` only, which is checked where work begins.
final class LocalLink: @unchecked Sendable {
    private struct Side: ~Copyable {
        var engine = BLIPEngine()
        var end: (any SessionLinkEnd)?
        /// This end does not read for now.
        var isPaused = false
    }

    private let queue = DispatchQueue(label: "fieldbook.replication.local")
    private var active = Side()
    private var passive = Side()
    private var isClosed = false

    enum Role: Sendable {
        case active, passive
    }

    /// No message is delivered before. The ends are kept until the link is closed.
    func start(active: any SessionLinkEnd, passive: any SessionLinkEnd) {
        queue.async { [self] in
            guard !isClosed else {
                let reason = BLIPCloseReason(code: WebSocketCloseCode.abnormal, isByPeer: true)
                passive.closed(reason)
                return active.closed(reason)
            }
            self.active.end = active
            self.passive.end = passive
            pump()
        }
    }

    func end(_ role: Role) -> any SessionLink { LocalLinkEnd(self, role: role) }

    fileprivate func send(_ batch: [BLIPOutgoing], from role: Role) {
        queue.async { [self] in
            guard !isClosed else { return }
            do throws(BLIPError) {
                for outgoing in batch {
                    switch role {
                    case .active: try active.engine.enqueue(outgoing.uncompressed)
                    case .passive: try passive.engine.enqueue(outgoing.uncompressed)
                    }
                }
            } catch {
                return fail(error)
            }
            pump()
        }
    }

    fileprivate func setReading(paused: Bool, by role: Role) {
        queue.async { [self] in
            switch role {
            case .active: active.isPaused = paused
            case .passive: passive.isPaused = paused
            }
            pump()
        }
    }

    fileprivate func close(code: UInt16, reason: String, by role: Role) {
        queue.async { [self] in
            // Messages that were sent before the close are delivered, even to an end that is paused.
            active.isPaused = false
            passive.isPaused = false
            pump()
            end(code, reason: reason, by: role)
        }
    }

    fileprivate func abort(by role: Role) {
        queue.async { [self] in end(WebSocketCloseCode.abnormal, reason: "", by: role) }
    }

    // MARK: - On the queue

    private func pump() {
        dispatchPrecondition(condition: .onQueue(queue))
        guard !isClosed, active.end != nil else { return }
        var moved = 0
        do throws(BLIPError) {
            var step: Int
            repeat {
                step = try Self.move(&active, to: &passive) + Self.move(&passive, to: &active)
                moved += step
            } while step > 0 && moved < ReplicationLimits.localBytesPerTurn
        } catch {
            return fail(error)
        }
        deliver()
        // Gives the ends a chance to pause.
        if moved >= ReplicationLimits.localBytesPerTurn { queue.async { self.pump() } }
    }

    private static func move(_ from: inout Side, to: inout Side) throws(BLIPError) -> Int {
        var moved = 0
        while !to.isPaused, moved < ReplicationLimits.localBytesPerTurn, let frame = try from.engine.nextFrame() {
            moved += frame.readableBytes
            try to.engine.receive(frame)
        }
        return moved
    }

    private func deliver() {
        if active.engine.hasEvents { active.end?.received(active.engine.takeEvents(), over: end(.active)) }
        if passive.engine.hasEvents { passive.end?.received(passive.engine.takeEvents(), over: end(.passive)) }
    }

    private func fail(_ error: BLIPError) {
        end(WebSocketCloseCode.protocolError, reason: "\(error)", by: .passive)
    }

    private func end(_ code: UInt16, reason: String, by role: Role) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard !isClosed else { return }
        isClosed = true
        deliver()
        // The active side is notified last, when everything else has ended.
        for (side, end) in [(Role.passive, passive.end), (.active, active.end)] {
            end?.closed(BLIPCloseReason(code: code, reason: reason, isByPeer: side != role))
        }
        active.end = nil
        passive.end = nil
    }
}

/// The view of one end of the link.
private final class LocalLinkEnd: SessionLink {
    private let link: LocalLink
    private let role: LocalLink.Role

    init(_ link: LocalLink, role: LocalLink.Role) {
        self.link = link
        self.role = role
    }

    func send(_ batch: [BLIPOutgoing]) { link.send(batch, from: role) }
    func pauseReading() { link.setReading(paused: true, by: role) }
    func resumeReading() { link.setReading(paused: false, by: role) }
    /// Within one process the other end is always reachable.
    func check() {}
    func close(code: UInt16, reason: String) { link.close(code: code, reason: reason, by: role) }
    func abort() { link.abort(by: role) }
}

extension BLIPOutgoing {
    /// Compression would only cost time within one process.
    fileprivate var uncompressed: BLIPOutgoing {
        switch self {
        case .request(var request, let tag):
            request.isCompressed = false
            return .request(request, tag: tag)
        case .response(let number, let properties, let body, _):
            return .response(to: number, properties: properties, body: body, isCompressed: false)
        case .failure: return self
        }
    }
}
