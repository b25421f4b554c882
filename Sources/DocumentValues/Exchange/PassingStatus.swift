/// HTTP statuses that may pass by themselves: the server is busy or being restarted, and the same request may succeed later
/// (§1.11).
package enum PassingStatus {
    package static let all: Set<Int> = [408, 429, 502, 503, 504]
}
