import DocumentValues

/// One recorded conversation, read from `Fixtures/<name>.jsonl`.
public struct Transcript: Sendable {}
