import DocumentValues

/// Parses the lines of `fill`, `form try` and `form evaluate`.
struct FillLine {
    let line: ParsedLine

    func fill(_ subject: String, isTrial: Bool = false) throws(UsageError) -> FillRequest {
        var request = FillRequest(subject: subject)
        request.file = line.option("--from")
        request.readsLines = line.flag("--lines")
        request.site = line.option("--site")
        request.language = line.option("--lang")
        request.finalises = line.flag("--finalize") || line.flag("--final")
        request.upgrades = line.flag("--upgrade")
        request.reason = line.option("--reason")
        request.isTrial = isTrial
        if let text = line.option("--surplus") {
            let known = FillRequest.Surplus.allCases.map(\.rawValue)
            let name = try CommandParser.choose(text, among: known, what: "way", hint: known.joined(separator: ", "))
            request.surplus = FillRequest.Surplus(rawValue: name) ?? .keep
        }
        for (option, value) in line.ordered {
            switch option {
            case "--set": request.steps.append(try Self.step(value))
            case "--add": request.steps.append(.add(path: value))
            default: break
            }
        }
        guard request.file != "-" || !request.readsLines else {
            throw UsageError(
                "The standard input cannot be both, --from - and --lines.", hint: "Name a file: --from FILE")
        }
        return request
    }

    /// `depth=18`, `point[2]/about/depth=18`, or `add point`.
    static func step(_ text: String) throws(UsageError) -> FillRequest.Step {
        let parts = text.split(atByte: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty else {
            throw UsageError("'\(text)' is no NAME=VALUE.", hint: "Use: --set depth=18, or --set point[2]/depth=18")
        }
        return .set(path: parts[0], text: parts[1])
    }

    func evaluation() throws(UsageError) -> EvaluationRequest {
        guard let expression = line.option("--expression") else {
            throw UsageError("Say what to evaluate.", hint: "Use: form evaluate FORM --answers FILE --expression E")
        }
        return EvaluationRequest(
            form: line.argument(1), answers: line.option("--answers"), expression: expression,
            path: line.option("--at"), now: line.option("--now"))
    }
}
