import BLIPTransport
import Glibc
import NIOCore
import NIOPosix
import Synchronization

/// The event loops that all connections share. They are made for the first connection. NIO ends the process if no file
/// descriptors are left for them, so that is checked first.
enum EventLoops {
    private static let areMade = Mutex(false)
    /// One for each epoll, event and timer.
    private static let descriptorsOfLoop = 3

    static func shared() throws(TransportError) -> MultiThreadedEventLoopGroup {
        let code = areMade.withLock { areMade -> Int32 in
            guard !areMade else { return 0 }
            let code = shortage(of: NIOSingletons.groupLoopCountSuggestion * descriptorsOfLoop)
            guard code == 0 else { return code }
            _ = MultiThreadedEventLoopGroup.singleton
            areMade = true
            return 0
        }
        guard code == 0 else {
            throw TransportError(
                .other, message: "There are no file descriptors left for a connection.",
                hint: "Close files that are not needed, or raise the limit (ulimit -n).", errno: code)
        }
        return MultiThreadedEventLoopGroup.singleton
    }

    /// - Returns: 0, or the error where there are not so many descriptors.
    static func shortage(of count: Int) -> Int32 {
        var taken: [Int32] = []
        defer { for descriptor in taken { close(descriptor) } }
        while taken.count < count {
            let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return errno }
            taken.append(descriptor)
        }
        return 0
    }
}
