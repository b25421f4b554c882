import Foundation
import Glibc

/// One connection of HTTP/1.1, one request after the other: so little that it does not affect the measurement.
final class HTTPClient {
    struct Answer {
        let status: Int
        let body: [UInt8]
    }

    private let socket: Int32
    private let authorization: String
    private var unread: [UInt8] = []

    init(port: Int, user: String? = nil) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        authorization =
            user.map { "Authorization: Basic " + Data("\($0):\(GatewayProcess.password)".utf8).base64EncodedString() }
            .map { $0 + "\r\n" } ?? ""
        guard LoopbackAddress.connect(socket, port: port) else {
            close(socket)
            throw BenchmarkFailure("nothing listens on port \(port)")
        }
    }

    deinit { close(socket) }

    @discardableResult
    func request(_ method: String, _ path: String, _ body: [UInt8]? = nil) throws -> Answer {
        var message = "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n\(authorization)"
        if let body { message += "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n" }
        try send(Array((message + "\r\n").utf8) + (body ?? []))
        return try receive()
    }

    func expect(_ method: String, _ path: String, _ body: [UInt8]? = nil) throws {
        let answer = try request(method, path, body)
        guard (200..<300).contains(answer.status) else {
            let text = String(decoding: answer.body.prefix(300), as: UTF8.self)
            throw BenchmarkFailure("\(method) \(path) answered \(answer.status) \(text)")
        }
    }

    private func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw BenchmarkFailure("the gateway closed the connection") }
            rest = rest.dropFirst(count)
        }
    }

    private func receive() throws -> Answer {
        var head = ""
        while true {
            let line = try readLine()
            if line.isEmpty { break }
            head += line.lowercased() + "\n"
        }
        let lines = head.split(separator: "\n")
        let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        if let length = lines.first(where: { $0.hasPrefix("content-length:") }) {
            let count = Int(length.dropFirst(15).trimmingCharacters(in: .whitespaces)) ?? 0
            return Answer(status: status, body: try read(count))
        }
        guard lines.contains(where: { $0.hasPrefix("transfer-encoding:") }) else {
            return Answer(status: status, body: [])
        }
        return Answer(status: status, body: try readChunks())
    }

    private func readChunks() throws -> [UInt8] {
        var body: [UInt8] = []
        while let size = Int(try readLine(), radix: 16), size > 0 {
            body += try read(size)
            _ = try readLine()
        }
        _ = try readLine()
        return body
    }

    private func readLine() throws -> String {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: unread[..<end].dropLast(), as: UTF8.self)
                unread.removeFirst(end + 1)
                return line
            }
            try fill()
        }
    }

    private func read(_ count: Int) throws -> [UInt8] {
        while unread.count < count { try fill() }
        defer { unread.removeFirst(count) }
        return Array(unread.prefix(count))
    }

    private func fill() throws {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(socket, &buffer, buffer.count, 0)
        guard count > 0 else { throw BenchmarkFailure("the gateway closed the connection") }
        unread.append(contentsOf: buffer[..<count])
    }
}

enum LoopbackAddress {
    static func connect(_ socket: Int32, port: Int) -> Bool {
        with(port: port) { Glibc.connect(socket, $0, $1) } == 0
    }

    static func with<Result>(port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }

    /// A port that is free at this moment.
    static func freePort() throws -> Int {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        guard with(port: 0, { bind(socket, $0, $1) }) == 0 else { throw BenchmarkFailure("no port is free") }
        return port(of: socket)
    }

    static func port(of socket: Int32) -> Int {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
        }
        return Int(in_port_t(bigEndian: address.sin_port))
    }
}
