import DocumentValues
import FormLogic

extension FormSession {
    /// The path of a question with the keys of instances, which stay when others come or go.
    ///
    /// - Parameter text: as a person names it: `depth`, `point[2]/about/depth`.
    /// - Throws: `FormFillingError` where it names no question of the record.
    package func keyedPath(named text: String) throws -> String {
        let record = state.record
        guard let path = AnswerPath(text, root: record.outline[FormOutline.root].node.name) else {
            throw FormFillingError(.path("'\(text.printableLine)' is no path of a question."), subject: text)
        }
        switch path.resolve(in: record, current: nil) {
        case .success(let node): return record.keyedPath(of: node)
        case .failure(let error):
            throw FormFillingError(.path("'\(text.printableLine)': \(error.message)."), subject: text)
        }
    }

    /// The same with the positions of instances, as people read it: `point[2]/about/depth`. A path of a question that is
    /// gone stays as it is.
    package func numberedPath(ofKeyed path: String) -> String {
        state.record.nodes(atKeyedPaths: [path])[Name(path)].map { state.record.numberedPath(of: $0) } ?? path
    }
}
