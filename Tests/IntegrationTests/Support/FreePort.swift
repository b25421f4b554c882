import Foundation
import Glibc
import Synchronization

/// A port that nothing listens on and that was not handed out before.
///
/// It lies below the range the kernel gives to outgoing connections, so that no connection of another program takes it
/// before its gateway does; and it begins with none of the usual ports, which tests replace as text.
func freePort() -> Int {
    handedOut.withLock { taken in
        while true {
            let port = Int.random(in: 10_000..<32_768)
            if taken.insert(port).inserted, isFree(port) { return port }
        }
    }
}

private let handedOut = Mutex<Set<Int>>([])

private func isFree(_ port: Int) -> Bool {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    return withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
            bind(socket, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
    }
}
