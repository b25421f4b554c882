import DocumentValues
import Foundation
import Glibc

/// An answer, byte for byte.
struct RawAnswer: Sendable {
    var status = 0
    var headers: [(name: String, value: String)] = []
    var body: [UInt8] = []
    var isChunked = false

    func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    var text: String { String(decoding: body, as: UTF8.self) }
    var json: JSONValue? { try? JSONValue(parsing: body) }
}

struct RawError: Error, CustomStringConvertible {
    let description: String
}

/// Speaks HTTP/1.1 over a socket, one request a connection, and never corrects what it is to send.
enum RawClient {
    static func request(
        _ method: String, _ target: String, port: Int, headers: [(String, String)] = [], body: [UInt8]? = nil
    ) async throws -> RawAnswer {
        var head = "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        if let body { head += "Content-Length: \(body.count)\r\n" }
        let bytes = Array((head + "\r\n").utf8) + (body ?? [])
        return try await exchange(bytes, port: port, isHead: method == "HEAD")
    }

    /// Reads that many lines that are not empty of an answer that does not end by itself.
    static func lines(
        _ count: Int, _ target: String, port: Int, headers: [(String, String)] = []
    ) async throws -> RawAnswer {
        var head = "GET \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        let bytes = Array((head + "\r\n").utf8)
        return try await onSocket(port: port, limit: 30) { socket in
            try socket.send(bytes)
            var answer = try socket.head()
            while answer.text.split(separator: "\n").count < count, let chunk = try socket.chunk() {
                answer.body += chunk
            }
            return answer
        }
    }

    /// Sends bytes as they are and reads one answer, or what came until the time was over.
    static func exchange(
        _ bytes: [UInt8], port: Int, isHead: Bool = false, limit: TimeInterval = 30
    ) async throws -> RawAnswer {
        try await onSocket(port: port, limit: limit) { socket in
            try socket.send(bytes)
            return try socket.answer(isHead: isHead)
        }
    }

    /// Runs blocking work on a thread of its own: those of a queue would be missing where the gateway wants one.
    static func onSocket<Value: Sendable>(
        port: Int, limit: TimeInterval = 30, _ body: @escaping @Sendable (RawSocket) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try body(try RawSocket(port: port, limit: limit)) })
            }
        }
    }
}

/// A connected socket that blocks, with a limit on every wait.
final class RawSocket {
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var hasEnded = false

    /// - Parameter receives: bytes that the system takes for a client that does not read; many megabytes where not given.
    init(port: Int, limit: TimeInterval = 30, receives: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var wait = timeval(tv_sec: Int(limit), tv_usec: Int(limit.truncatingRemainder(dividingBy: 1) * 1e6))
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &wait, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &wait, size)
        if var receives { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receives, 4) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw RawError(description: "cannot connect: \(String(cString: strerror(errno)))") }
    }

    deinit { close(descriptor) }

    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress! + sent, $0.count - sent, Int32(MSG_NOSIGNAL))
            }
            // A server may answer and close before it has read everything.
            guard count > 0 else { return }
            sent += count
        }
    }

    /// Says that nothing more will be sent.
    func halfClose() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// False at the end of the stream.
    private func fill() throws -> Bool {
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(descriptor, &piece, piece.count, 0)
        guard count >= 0 else { throw RawError(description: "no answer: \(String(cString: strerror(errno)))") }
        buffer += piece.prefix(count)
        hasEnded = count == 0
        return count > 0
    }

    /// Everything up to the delimiter, without it; at the end of the stream what is left, or `nil`.
    func read(to delimiter: String) throws -> String? {
        let pattern = Array(delimiter.utf8)
        while true {
            if let range = buffer.firstRange(of: pattern) {
                let text = String(decoding: buffer[..<range.lowerBound], as: UTF8.self)
                buffer.removeSubrange(..<range.upperBound)
                return text
            }
            if try !fill() {
                defer { buffer = [] }
                return buffer.isEmpty ? nil : String(decoding: buffer, as: UTF8.self)
            }
        }
    }

    private func read(count: Int) throws -> [UInt8] {
        while buffer.count < count { guard try fill() else { throw RawError(description: "the answer is cut") } }
        let bytes = Array(buffer[..<count])
        // What is left is no more than was received at once; the room of a large piece is not kept for small ones, since
        // it would be asked for with each of them.
        buffer = Array(buffer[count...])
        return bytes
    }

    func head() throws -> RawAnswer {
        guard let head = try read(to: "\r\n\r\n") else { throw RawError(description: "closed without an answer") }
        let lines = head.components(separatedBy: "\r\n")
        var answer = RawAnswer()
        answer.status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            answer.headers.append(
                (String(parts[0]), parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""))
        }
        answer.isChunked = answer.header("Transfer-Encoding") == "chunked"
        return answer
    }

    func answer(isHead: Bool) throws -> RawAnswer {
        var answer = try head()
        if isHead { return answer }
        if answer.isChunked {
            while let chunk = try chunk() { answer.body += chunk }
        } else if let length = answer.header("Content-Length").flatMap({ Int($0) }) {
            answer.body = try read(count: length)
        } else {
            while try fill() {}
            answer.body = buffer
        }
        return answer
    }

    /// Reads small WebSocket frames up to a Close, and its code; `nil` if the stream ends without one.
    func closeCode() throws -> Int? {
        while try buffer.count >= 2 || fill() {
            guard buffer.count >= 2 else { continue }
            let frame = try read(count: 2 + Int(buffer[1] & 0x7F))
            if frame[0] & 0xF == 8 { return frame.count >= 4 ? Int(frame[2]) << 8 | Int(frame[3]) : nil }
        }
        return nil
    }

    /// The next WebSocket frame; `nil` at the end of the stream.
    func frame() throws -> (opcode: UInt8, data: [UInt8])? {
        while buffer.count < 2 { guard try fill() else { return nil } }
        let head = try read(count: 2)
        var length = Int(head[1] & 0x7F)
        if length >= 126 { length = try read(count: length == 126 ? 2 : 8).reduce(0) { $0 << 8 | Int($1) } }
        return (head[0] & 0xF, try read(count: length))
    }

    /// Sends a small frame as a client has to, masked.
    func send(_ opcode: UInt8, _ text: String) throws {
        let mask: [UInt8] = [1, 2, 3, 4]
        let data = text.utf8.enumerated().map { $0.element ^ mask[$0.offset % 4] }
        try send([0x80 | opcode, 0x80 | UInt8(data.count)] + mask + data)
    }

    /// `nil` behind the last chunk.
    func chunk() throws -> [UInt8]? {
        guard let line = try read(to: "\r\n"), let size = Int(line, radix: 16) else {
            throw RawError(description: "the chunks are cut")
        }
        let bytes = try read(count: size)
        _ = try read(count: 2)
        return size == 0 ? nil : bytes
    }
}
