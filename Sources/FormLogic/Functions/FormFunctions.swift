/// The functions over values. Those that look at nodes by themselves, such as `position`, are the evaluator's.
package enum FormFunctions {
    typealias Function = @Sendable (FunctionArguments, inout FunctionState) -> FormValue

    private static let all: [FormFunction: Function] = {
        var all: [FormFunction: Function] = [:]
        for group in [conditions, selects, sets, texts, ciphers, numbers, arithmetic, dates, geography] {
            all.merge(group) { first, _ in first }
        }
        return all
    }()

    /// `nil` for a function that is none over values.
    package static func call(
        _ function: FormFunction, arguments: FunctionArguments, state: inout FunctionState
    ) -> FormValue? {
        all[function]?(arguments, &state)
    }
}
