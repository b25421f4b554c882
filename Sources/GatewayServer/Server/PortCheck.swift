import NIOCore

/// Opens listeners one after the other, to see that each can be opened, and closes all of them again.
enum PortCheck {
    /// Throws the first error: of a listener that cannot be opened before one that cannot be closed.
    static func run(_ listeners: [() async throws -> any Channel]) async throws {
        var (opened, failures): ([any Channel], [any Error]) = ([], [])
        do { for open in listeners { opened.append(try await open()) } } catch { failures.append(error) }
        for channel in opened {
            do { try await channel.close() } catch { failures.append(error) }
        }
        if let first = failures.first { throw first }
    }
}
