import DocumentStore
import DocumentValues
import FieldModels

/// The review of filled forms. Their questions decide whether they can be handed in, so that is the work of who fills them.
public struct ResponseLifeCycle: RecordService {
    let store: RecordStore

    /// Approves a filled form that was handed in.
    ///
    /// - Throws: `RecordActionError` in any other state.
    @discardableResult
    public func approve(_ id: String, by author: Author) throws -> Response {
        try responses.update(id, by: author) { response in
            try response.check(.approved)
            response.state = .approved
            response.review(.approved, by: author)
        }
    }

    /// Sends a filled form back to its author, who may then change it; also one that is approved. One that was sent back
    /// already gets a further comment.
    ///
    /// - Parameter question: the one that the comment is about, as a path with the keys of instances; `nil` for all of it.
    /// - Throws: `RecordActionError` for a draft.
    @discardableResult
    public func sendBack(
        _ id: String, because comment: String, question: String? = nil, by author: Author
    ) throws -> Response {
        try responses.update(id, by: author) { response in
            try response.check(.hasIssues)
            response.state = .hasIssues
            response.review(.returned, by: author, because: comment, question: question)
        }
    }

    /// Throws the errors of `approve` or `sendBack`, without a change.
    public func checkReview(_ id: String, as state: Response.State) throws {
        guard let response = try responses.find(id) else {
            throw RecordActionError(.notFound, kind: .response, id: id)
        }
        try response.check(state)
    }

    /// How far a filled form has come, as people say it.
    public func stage(of response: Response) throws -> ResponseStage {
        ResponseStage(
            response.state, isSent: try collection(of: .response).exchange(of: response.id)?.isSent ?? false)
    }
}

extension Response {
    fileprivate func check(_ next: State) throws(RecordActionError) {
        let isPossible =
            switch state {
            case .final, .sent, .edited: true
            case .approved, .hasIssues, .rejected: next == .hasIssues
            case .draft: false
            }
        guard !isPossible else { return }
        let to = next == .hasIssues ? ResponseStage.returned : ResponseStage(next, isSent: true)
        throw RecordActionError(
            .noSuchStep(from: ResponseStage(state, isSent: true).rawValue, to: to.rawValue), kind: .response, id: id)
    }

    fileprivate mutating func review(
        _ action: ResponseStep.Action, by author: Author, because comment: String? = nil, question: String? = nil
    ) {
        envelope.settle([LifeCycleStep.state])
        add(
            ResponseStep(
                action, by: author.name, at: author.moment, device: author.device, of: instanceID, because: comment,
                question: question))
    }
}
