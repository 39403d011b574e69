// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Multicall3} from "../../local/Multicall3.sol";
import {Test} from "../Test.sol";

/// @dev Says who calls and with what, or fails with data.
contract Callee {
    error Refused(uint256 reason);

    function echo(uint256 value) external view returns (address, uint256) {
        return (msg.sender, value);
    }

    function take() external payable returns (uint256) {
        return msg.value;
    }

    function refuse(uint256 reason) external pure {
        revert Refused(reason);
    }
}

/// @dev Multicall3, placed by code alone at the canonical address
///   aggregate, blockAndAggregate and a strict tryAggregate end with the first failure, named by index and data
///   a lenient tryAggregate and aggregate3 report failures and go on; aggregate3 decides call by call
///   aggregate3Value hands on the values, and all of what was sent must be used
///   no calls: no results; block figures are those of the block
contract Multicall3Test is Test {
    Multicall3 private constant multicall = Multicall3(0xcA11bde05977b3631167028862bE2a173976CA11);

    Callee private callee = new Callee();

    function setUp() public {
        vm.etch(address(multicall), type(Multicall3).runtimeCode);
        vm.chainId(8453);
        vm.warp(1_780_000_000);
        vm.roll(77);
    }

    function test_aggregate_returnsEveryAnswerWithTheBlock() public {
        (uint256 blockNumber, bytes[] memory answers) = multicall.aggregate(goodCalls());
        assertEq(blockNumber, 77);
        assertEq(answers.length, 2);
        assertEq(answers[0], abi.encode(address(multicall), 1));
        assertEq(answers[1], abi.encode(address(multicall), 2));
        (, answers) = multicall.aggregate(new Multicall3.Call[](0));
        assertEq(answers.length, 0);
    }

    /// @dev blockAndAggregate is a strict tryBlockAndAggregate, and aggregate goes the same way.
    function test_tryAggregate_reportsFailuresAndGoesOnUnlessItIsStrict() public {
        assertMixed(multicall.tryAggregate(false, mixedCalls()));
        (uint256 blockNumber, , Multicall3.Result[] memory results) = multicall.tryBlockAndAggregate(
            false,
            mixedCalls()
        );
        assertEq(blockNumber, 77);
        assertMixed(results);
        vm.expectRevert(failure());
        multicall.aggregate(mixedCalls());
        vm.expectRevert(failure());
        multicall.blockAndAggregate(mixedCalls());
    }

    function test_aggregate3_decidesCallByCall() public {
        Multicall3.Call[] memory mixed = mixedCalls();
        Multicall3.Call3[] memory calls = new Multicall3.Call3[](3);
        for (uint256 index = 0; index < 3; ++index) {
            calls[index] = Multicall3.Call3(mixed[index].target, index == 1, mixed[index].callData);
        }
        assertMixed(multicall.aggregate3(calls));
        calls[1].allowFailure = false;
        vm.expectRevert(failure());
        multicall.aggregate3(calls);
    }

    function test_aggregate3Value_handsOnTheValues() public {
        Multicall3.Result[] memory results = multicall.aggregate3Value{value: 5}(payingCalls());
        assertEq(results[0].returnData, abi.encode(2));
        assertEq(results[1].returnData, abi.encode(3));
        assertEq(address(callee).balance, 5);
        assertEq(address(multicall).balance, 0);
    }

    function test_aggregate3Value_reverts_whenNotAllIsUsed() public {
        vm.expectRevert(abi.encodeWithSelector(Multicall3.ValueMismatch.selector, 6, 5));
        multicall.aggregate3Value{value: 6}(payingCalls());
    }

    function test_blockFiguresAreThoseOfTheBlock() public {
        vm.deal(makeAddr("rich"), 3 ether);
        assertEq(multicall.getBlockNumber(), 77);
        assertEq(multicall.getChainId(), 8453);
        assertEq(multicall.getCurrentBlockTimestamp(), 1_780_000_000);
        assertEq(multicall.getEthBalance(makeAddr("rich")), 3 ether);
        assertEq(multicall.getLastBlockHash(), blockhash(76));
    }

    function goodCalls() private view returns (Multicall3.Call[] memory calls) {
        calls = new Multicall3.Call[](2);
        calls[0] = Multicall3.Call(address(callee), abi.encodeCall(Callee.echo, (1)));
        calls[1] = Multicall3.Call(address(callee), abi.encodeCall(Callee.echo, (2)));
    }

    /// @dev The middle one of three fails.
    function mixedCalls() private view returns (Multicall3.Call[] memory calls) {
        calls = new Multicall3.Call[](3);
        calls[0] = Multicall3.Call(address(callee), abi.encodeCall(Callee.echo, (1)));
        calls[1] = Multicall3.Call(address(callee), abi.encodeCall(Callee.refuse, (7)));
        calls[2] = Multicall3.Call(address(callee), abi.encodeCall(Callee.echo, (3)));
    }

    function payingCalls() private view returns (Multicall3.Call3Value[] memory calls) {
        calls = new Multicall3.Call3Value[](2);
        calls[0] = Multicall3.Call3Value(address(callee), false, 2, abi.encodeCall(Callee.take, ()));
        calls[1] = Multicall3.Call3Value(address(callee), false, 3, abi.encodeCall(Callee.take, ()));
    }

    function failure() private pure returns (bytes memory) {
        return
            abi.encodeWithSelector(
                Multicall3.CallFailed.selector,
                1,
                abi.encodeWithSelector(Callee.Refused.selector, 7)
            );
    }

    function assertMixed(Multicall3.Result[] memory results) private pure {
        assertEq(results.length, 3);
        assertTrue(results[0].success && results[2].success);
        assertFalse(results[1].success);
        assertEq(results[0].returnData, abi.encode(address(multicall), 1));
        assertEq(results[1].returnData, abi.encodeWithSelector(Callee.Refused.selector, 7));
        assertEq(results[2].returnData, abi.encode(address(multicall), 3));
    }
}
