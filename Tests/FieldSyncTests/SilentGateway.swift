import Dispatch
import Foundation
import Glibc
import Synchronization

/// A gateway that takes connections and never answers.
final class SilentGateway {
    let address: String
    /// An element for what waits to be answered.
    let connections: AsyncStream<Void>
    private let source: any DispatchSourceRead

    init() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var bound = sockaddr_in()
        bound.sin_family = sa_family_t(AF_INET)
        bound.sin_addr.s_addr = inet_addr("127.0.0.1")
        let isListening = withUnsafeMutablePointer(to: &bound) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                var size = socklen_t(MemoryLayout<sockaddr_in>.size)
                return bind(descriptor, address, size) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, address, &size) == 0
            }
        }
        guard isListening else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        address = "ws://127.0.0.1:\(UInt16(bigEndian: bound.sin_port))/field"
        let (connections, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.connections = connections
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: DispatchQueue(label: "silent"))
        let taken = Descriptors()
        source.setEventHandler {
            taken.add(accept(descriptor, nil, nil))
            continuation.yield()
        }
        source.setCancelHandler {
            taken.closeAll()
            close(descriptor)
        }
        source.activate()
    }

    /// Connections that are taken.
    private final class Descriptors: Sendable {
        private let all = Mutex<[Int32]>([])

        func add(_ descriptor: Int32) { all.withLock { $0.append(descriptor) } }
        func closeAll() { all.withLock { $0.forEach { close($0) } } }
    }

    deinit { source.cancel() }

    /// Returns as soon as somebody has connected.
    func isConnected() async { for await _ in connections { return } }
}
