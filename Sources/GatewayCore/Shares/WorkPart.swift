/// A part of the work, with its amount.
struct WorkPart<Element> {
    var elements: [Element]
    var work: Int
}

extension Array {
    /// Parts in order that have at most so much work each, or one element.
    func parts(upTo limit: Int, work: (Element) -> Int) -> [WorkPart<Element>] {
        reduce(into: []) { parts, element in
            let work = work(element)
            let last = parts.count - 1
            guard last >= 0, parts[last].work + work <= limit else {
                return parts.append(WorkPart(elements: [element], work: work))
            }
            parts[last].elements.append(element)
            parts[last].work += work
        }
    }
}
