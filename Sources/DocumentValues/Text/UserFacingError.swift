/// An error for people: its description says in sentences what happened, to what, and what can be done.
///
/// Programs show it as it is. Other errors are worded by whoever shows them, since their descriptions are for developers.
public protocol UserFacingError: Error, CustomStringConvertible {}
