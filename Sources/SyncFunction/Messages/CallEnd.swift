/// How a call ended.
enum CallEnd: Sendable, Equatable {
    case answered(WorkerAnswer)
    case tooSlow
    /// The call ended the worker.
    case crashed
    /// Not begun, because other calls of the same request took too long.
    case leftOut
}
