/// Reads a stored attachment piece by piece, so that memory stays bounded for any size.
package struct AttachmentReader: Sendable {
    package let length: Int

    /// Up to `count` bytes from `offset`.
    package func read(from offset: Int, count: Int) async throws -> [UInt8] { fatalError("to come") }

    package func bytes() async throws -> [UInt8] { try await read(from: 0, count: length) }
}
