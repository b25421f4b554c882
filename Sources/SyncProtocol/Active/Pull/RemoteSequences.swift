import DocumentValues

/// The gateway's sequences in the order in which it announced them, and which of them are done.
///
/// Their JSON text is opaque: nothing here compares two of them.
struct RemoteSequences: Sendable {
    /// The last sequence up to which all are done: the position for a checkpoint.
    private(set) var position: String?
    /// The texts from the first sequence on that is not done.
    private var texts: [String] = []
    private var done: [Bool] = []
    private var head = 0
    private var indexes: [Name: Int] = [:]
    /// The number of texts that were dropped from the front of `texts`.
    private var dropped = 0

    init(since position: String?) { self.position = position }

    /// - Returns: the index of the sequence in the feed, for comparing which of two was announced earlier.
    @discardableResult
    mutating func announce(_ text: String) -> Int {
        if let index = indexes[Name(text)] { return index }
        let index = dropped + texts.count
        texts.append(text)
        done.append(false)
        indexes[Name(text)] = index
        return index
    }

    func index(of text: String) -> Int? { indexes[Name(text)] }

    mutating func complete(_ text: String) {
        guard let index = indexes.removeValue(forKey: Name(text)) else { return }
        done[index - dropped] = true
        while head < done.count, done[head] {
            position = texts[head]
            head += 1
        }
        if head > 1_024, head * 2 > texts.count {
            texts.removeFirst(head)
            done.removeFirst(head)
            dropped += head
            head = 0
        }
    }
}
