import BLIPProtocol
import NIOCore

/// A connection of two protocol engines. Frames arrive in the order in which they were sent, whenever the seed says so;
/// messages of several frames are overtaken by shorter ones, as over a socket.
final class SimulatedLine {
    enum End { case client, gateway }

    private var client = BLIPEngine()
    private var gateway = BLIPEngine()
    private var toClient = CircularBuffer<ByteBuffer>()
    private var toGateway = CircularBuffer<ByteBuffer>()

    func send(_ batch: [BLIPOutgoing], from end: End) throws {
        for message in batch {
            switch end {
            case .client: try client.enqueue(message)
            case .gateway: try gateway.enqueue(message)
            }
        }
    }

    /// A frame leaves; whether there was one, and what its sender hears of it.
    func depart(from end: End) throws -> [BLIPIncoming]? {
        switch end {
        case .client:
            guard let frame = try client.nextFrame() else { return nil }
            toGateway.append(frame)
            return client.takeEvents()
        case .gateway:
            guard let frame = try gateway.nextFrame() else { return nil }
            toClient.append(frame)
            return gateway.takeEvents()
        }
    }

    /// A frame arrives; whether there was one, and what its receiver hears of it.
    func arrive(at end: End) throws -> [BLIPIncoming]? {
        switch end {
        case .client:
            guard let frame = toClient.popFirst() else { return nil }
            try client.receive(frame)
            return client.takeEvents()
        case .gateway:
            guard let frame = toGateway.popFirst() else { return nil }
            try gateway.receive(frame)
            return gateway.takeEvents()
        }
    }
}
