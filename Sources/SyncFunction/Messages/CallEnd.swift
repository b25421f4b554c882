/// How a call ended.
enum CallEnd: Sendable, Equatable {
    case answered(WorkerAnswer)
    case tooSlow
    /// The worker died of it.
    case crashed
    /// Not begun: others of the same request took too long.
    case leftOut
}
