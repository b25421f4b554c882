import Foundation

/// Bytes on disk that vanish with this object: what is too large to wait in memory for its document.
package final class StagedFile: Sendable {
    package let length: Int

    init(length: Int) { self.length = length }
}
